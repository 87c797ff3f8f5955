/** Whether the name contains the text, in any case of letters. */
export function hasPart(name: string, text: string): boolean {
  return name.toLowerCase().includes(text.trim().toLowerCase())
}
