import type { Output } from '../../src/client/index.ts'
import type { Accent } from '../../src/model/accent.ts'
import type { Account, Folder } from './api.ts'

/** How many pages the document contains: a phone parses each of them before it shows any. */
export const FIRST_PAGES = 50

/** The data in the document, so that the first screen needs no request. */
export interface Boot {
  account: Account
  /** The first part of the list of pages; null where the document was opened at another screen. */
  pages: Output<'listPages'> | null
  folders: Folder[] | null
  plan_names: Record<Account['plan'], string>
  /** The address of the service, without a slash at the end. */
  base_url: string
  server_name: string
  server_accent: Accent
  at: string
  /** The name of the provider that people may sign in with, beside a mail. */
  provider: string | null
  /** False: this server has no mail server, so people are sent nothing. */
  sends_mails: boolean
  /** The API key that the set-up has just made. It is shown once. */
  new_key: string | null
}

export function readBoot(): Boot {
  return JSON.parse(document.getElementById('boot')?.textContent ?? '') as Boot
}
