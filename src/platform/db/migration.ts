/** A forward step of the schema. `migrate.ts` lists them. A released migration is never edited. */
export interface Migration {
  name: string
  /** @param blob the column type for bytes on this engine */
  up(blob: 'blob' | 'bytea'): readonly string[]
}
