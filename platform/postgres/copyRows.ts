import pg from 'pg'

/** The part of the driver's connection that its types leave out. */
type CopyConnection = { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void }

/** The driver's query, which refuses a `copy … from stdin` unless it is overridden here. */
class CopyIn extends pg.Query {
  readonly #rows: Buffer

  constructor(statement: string, rows: string, onEnd: (error: Error | null) => void) {
    // The types leave out the callback, by which the driver reports the end.
    super({ text: statement, callback: onEnd } as pg.QueryConfig)
    this.#rows = Buffer.from(rows)
  }

  /** Called by the driver when the server waits for the rows. */
  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(this.#rows)
    connection.endCopyFrom()
  }
}

/** Runs a `copy … from stdin` with these rows in the text format. */
export function copyOn(client: pg.ClientBase, statement: string, rows: string): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new CopyIn(statement, rows, (error) => (error ? reject(error) : resolve())))
  })
}
