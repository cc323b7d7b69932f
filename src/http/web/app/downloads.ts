import type { Hono } from 'hono'
import { Download, StoredFile } from '../../../model/download.ts'
import { refuse } from '../../../model/errors.ts'
import { downloadResponse, fileResponse } from '../../kit/file-response.ts'
import type { AppContext } from './context.ts'

/** Members of the operation's input that the address of the responses may have. */
const MEMBERS = ['explode', 'since', 'search', 'where']

/**
 * Files of operations by plain links, for the account that is signed in: the browser saves a file
 * while it arrives, shows how far it is, and can break it off. `/app/api` answers the same, but
 * only to a script, which would hold all of it in memory.
 */
export function downloadRoutes(context: AppContext, routes: Hono): void {
  const { pages, signedIn, callFor, compressor } = context

  /**
   * Answers the file of an operation, of the account or of one of its pages.
   *
   * @throws Refusal `foreign_origin`, or that of the operation
   */
  async function download(name: string, request: Request, input: object, pageId?: string) {
    assertNotEmbedded(request)
    return signedIn(request, async (session) => {
      const page = pageId === undefined ? undefined : await pages.get(session.account, pageId)
      const result = await callFor(session, name, { input, page })
      if (result instanceof Download) return downloadResponse(request, result, compressor)
      if (result instanceof StoredFile) return fileResponse(request, result)
      throw new Error('The result is no download')
    })
  }

  routes.get('/operator/backup', ({ req }) => download('downloadBackup', req.raw, {}))
  routes.get('/account/export', ({ req }) => download('exportAccount', req.raw, {}))
  routes.get('/pages/:id/download', ({ req }) => {
    const version = req.query('version')
    const input = version === undefined ? {} : { version: Number(version) }
    return download('downloadPage', req.raw, input, req.param('id'))
  })
  // The picture of an image page beside its title. Its address changes with its bytes.
  routes.get('/pages/:id/image', async ({ req }) => {
    const { name: path = '', sha256 = '' } = req.query()
    const answer = await download('readFile', req.raw, { path }, req.param('id'))
    const isNamed = sha256 !== '' && answer.headers.get('etag')?.includes(sha256)
    if (isNamed) answer.headers.set('cache-control', 'private, max-age=31536000, immutable')
    return answer
  })
  routes.get('/pages/:id/responses.csv', ({ req }) => {
    const query = [...new URL(req.url).searchParams]
    const members = Object.fromEntries(query.filter(([name]) => MEMBERS.includes(name)))
    return download('listResponses', req.raw, { ...members, format: 'csv' }, req.param('id'))
  })
  routes.get('/pages/:id/people.csv', ({ req }) =>
    download('listPeople', req.raw, { format: 'csv' }, req.param('id')),
  )
  routes.get('/pages/:id/agreements.csv', ({ req }) =>
    download('listAgreements', req.raw, { format: 'csv' }, req.param('id')),
  )
}

/**
 * Refuses requests that another site caused, since an export is expensive. Allows typed addresses.
 */
function assertNotEmbedded({ headers }: Request): void {
  const site = headers.get('sec-fetch-site') ?? 'none'
  if (site === 'same-origin' || site === 'none') return
  throw refuse.forbidden('foreign_origin', 'Open the app, and download it from there.')
}
