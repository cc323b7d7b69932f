import type { Disturbance } from './disturbance.ts'
import { type Handbill, newOwner, type Owner } from './servers.ts'
import { read } from './timing.ts'

/** Exports an account, and imports it into a new one. @param of the content of the account */
export function transfersOf(handbill: Handbill, owner: Owner, of: string): Disturbance[] {
  let archive = new Uint8Array()
  return [
    {
      name: `an export of ${of}`,
      async run() {
        archive = await download(owner, '/account/export')
      },
    },
    { name: `an import of ${of}`, run: () => importInto(handbill, archive) },
  ]
}

async function importInto(handbill: Handbill, archive: Uint8Array<ArrayBuffer>): Promise<void> {
  const { data } = await sendArchive(handbill, archive)
  const failed = data.pages.find((page) => 'reason' in page && page.reason !== null)
  if (data.failed > 0) throw new Error(`Not imported: ${JSON.stringify(failed)}`)
}

/** Imports an archive into a new account. @returns what became of its pages */
export async function sendArchive(handbill: Handbill, archive: Uint8Array<ArrayBuffer>) {
  const { key } = await newOwner(handbill)
  const answer = await fetch(`${handbill.url}/api/v1/account/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: archive,
  })
  return (await answer.json()) as { data: { failed: number; pages: object[] } }
}

export function download({ url, key }: Owner, path: string): Promise<Uint8Array<ArrayBuffer>> {
  return read(`${url}/api/v1${path}`, { authorization: `Bearer ${key}` })
}
