/** Forward only, listed by hand, never edited once landed. */
export interface Migration {
  name: string
  /** @param blob what this engine calls a column of bytes */
  up(blob: 'blob' | 'bytea'): readonly string[]
}
