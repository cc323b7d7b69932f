import { z } from 'zod'
import { component, contractsOf } from '../../model/operation.ts'

const accountContract = contractsOf('Transfer', 'account')

export const exportAccount = accountContract({
  scopes: ['pages:read', 'feedback:read'],
  summary: 'Export everything, as a zip.',
  description:
    'Pages with all settings, passwords and invited addresses, the files of the draft and of all ' +
    'versions, responses, comments, votes, approvals with their signed record, and views. Keep ' +
    'it as you keep a password. A download from which nothing is read for half a minute ends.',
  http: { method: 'GET', path: '/account/export', status: 200, file: true },
  needsRecentSignIn: () => true,
  errors: ['export_running', 'too_many_exports'],
})

const importedPage = component('ImportedPage', {
  from_slug: z.string().describe('Its slug in the archive.'),
  title: z.string().nullable(),
  status: z
    .enum(['imported', 'skipped', 'failed'])
    .describe('`skipped`: it is there already, or its slug is. `failed`: nothing is kept of it.'),
  reason: z.string().nullable().describe('Why it was skipped or failed.'),
  id: z.string().nullable(),
  slug: z.string().nullable().describe('Another than `from_slug` where that was taken.'),
  url: z.string().nullable(),
  left_out: z.array(z.string()).describe('What the archive has of it and an import leaves there.'),
})

export const importAccount = accountContract({
  summary: 'Import the pages of an export.',
  description:
    'The body is the zip. Each page is imported whole or not at all, within the limits of your ' +
    'plan: content, versions, settings, password, responses, comments, votes, access requests, ' +
    'views, and approvals as history. It keeps its slug where that is free. A page that you have ' +
    'already, or whose slug you use, is skipped, so an import can be repeated. Nobody is mailed.',
  http: { method: 'POST', path: '/account/import', status: 200, rawBody: true, takesLong: true },
  data: z.object({
    imported: z.int(),
    skipped: z.int(),
    failed: z.int(),
    pages: z.array(importedPage),
  }),
  errors: ['not_an_archive', 'archive_too_large', 'import_running', 'too_many_imports'],
})
export type ImportedPage = z.output<typeof importedPage>
