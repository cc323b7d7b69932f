import { Hono } from 'hono'
import type { Uploads } from '../../features/content/index.ts'
import { LIMITS, type Throttles } from '../../features/throttles/index.ts'
import { refuse } from '../../model/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { BodyReader } from '../kit/body.ts'
import { jsonResponse, refusalResponse } from '../kit/response.ts'
import { type Env, errorResponse } from './routes.ts'

interface UploadLinkDeps {
  uploads: Pick<Uploads, 'openLink' | 'create'>
  bodyReader: BodyReader
  throttles: Throttles
  log: Log
}

/**
 * Takes the bytes of an upload at an address that an account made for it. The token in the address
 * is the only credential, so the log never has it.
 */
export function uploadLinkRoutes({ uploads, bodyReader, throttles, log }: UploadLinkDeps) {
  const routes = new Hono<Env>()

  routes.on(['PUT', 'POST'], '/:token', async ({ req }) => {
    const open = () => uploads.openLink(req.param('token'))
    const { id, account } = await open()
    await throttles.assert(LIMITS.upload_link, account.id)
    const data = await uploads.create(account, bodyReader.chunks(req.raw, open), id)
    return jsonResponse(201, { data })
  })
  routes.all('*', () => {
    const refusal = refuse.methodNotAllowed(
      'method_not_allowed',
      'This address takes PUT and POST.',
    )
    return refusalResponse(refusal, { allow: 'PUT, POST' })
  })
  routes.onError((err, context) => errorResponse(err, context, { log }))
  return routes
}
