import { randomBytes } from 'node:crypto'
import { Hono } from 'hono'
import type { Assets } from '../../kit/assets.ts'
import type { OpenApiDocument } from '../../kit/openapi-document.ts'
import { documentResponse } from '../../kit/response.ts'
import { docsCsp, docsPage } from './docs-page.ts'
import { llmsFullTxt, llmsTxt } from './llms.ts'

export { publishCommand } from './publish-command.ts'

export interface DocsDeps {
  openApi(): OpenApiDocument
  assets: Assets
  baseUrl: string
}

/** The API reference: for people, for programs and for language models. */
export function docsRoutes({ openApi, assets, baseUrl }: DocsDeps): Hono {
  const routes = new Hono()

  routes.get('/docs', ({ req }) => {
    const nonce = randomBytes(16).toString('base64')
    const body = docsPage(openApi(), { nonce, assets, baseUrl })
    return documentResponse(req.raw, { csp: docsCsp(nonce), body })
  })
  routes.get('/openapi.json', () =>
    Response.json(openApi(), { headers: { 'access-control-allow-origin': '*' } }),
  )
  routes.get('/llms.txt', () => markdownResponse(llmsTxt(openApi(), baseUrl)))
  routes.get('/llms-full.txt', () => markdownResponse(llmsFullTxt(openApi(), baseUrl)))
  return routes
}

/** Scripts of any site may read the text: it is public and the same for everybody. */
function markdownResponse(text: string): Response {
  const headers = {
    'content-type': 'text/markdown; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
  }
  return new Response(text, { headers })
}
