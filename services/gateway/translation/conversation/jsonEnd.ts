/** Tells, while the text of a JSON object arrives in pieces, whether it is complete. It keeps only a few numbers. */
export class JsonEnd {
  #depth = 0
  #inString = false
  #isEscaped = false
  #hasBegun = false

  add(text: string): void {
    for (const char of text) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (this.#inString) {
        if (char === '\\') this.#isEscaped = true
        else if (char === '"') this.#inString = false
      } else if (char === '"') this.#inString = true
      else if (char === '{' || char === '[') {
        this.#depth++
        this.#hasBegun = true
      } else if (char === '}' || char === ']') this.#depth--
    }
  }

  get isComplete(): boolean {
    return this.#hasBegun && this.#depth === 0 && !this.#inString
  }
}
