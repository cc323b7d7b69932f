import { inChunks } from '../../platform/db/chunks.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import { takeTurn } from '../../platform/turns.ts'

/** So many mails are written in one transaction, which holds up others for some milliseconds. */
const MAILS = 25

/** Writes a mail for each of many people, in short transactions. */
export async function sendMany<Person>(
  database: Pick<Database, 'write'>,
  people: readonly Person[],
  send: (tx: Tx, person: Person) => Promise<void>,
): Promise<void> {
  for (const some of inChunks(people, MAILS)) {
    await takeTurn()
    await database.write(async (tx) => {
      for (const person of some) await send(tx, person)
    })
  }
}
