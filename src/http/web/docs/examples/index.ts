import type { OpenApiDocument } from '../../../kit/openapi-document.ts'
import type { Sample } from '../markup/code.ts'
import type { Endpoint } from '../openapi/document.ts'
import { curlCommand } from './curl.ts'
import { javascriptCode } from './javascript.ts'
import { pythonCode } from './python.ts'
import { exampleRequest } from './request.ts'

/** The same request in each language. */
export function requestSamples(
  document: OpenApiDocument,
  endpoint: Endpoint,
  server: string,
): Sample[] {
  const request = exampleRequest(document, endpoint, server)
  return [
    { language: 'curl', code: curlCommand(request) },
    { language: 'javascript', code: javascriptCode(request) },
    { language: 'python', code: pythonCode(request) },
  ]
}
