import type { ExampleRequest } from './request.ts'

/** Writes the request as a curl command. */
export function curlCommand({ method, url, needsKey, body }: ExampleRequest): string {
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}${quoteUrl(url)}`]
  if (needsKey) lines.push('-H "Authorization: Bearer $HANDBILL_API_KEY"')
  if (body !== null) {
    lines.push(`-H "Content-Type: ${body.type}"`)
    lines.push('file' in body ? `--data-binary @${body.file}` : `-d ${quoteJson(body.json)}`)
  }
  return lines.join(' \\\n  ')
}

function quoteUrl(url: string): string {
  return /[?&]/.test(url) ? `"${url}"` : url
}

/** Quotes JSON for a shell, on one line if it is short. */
function quoteJson(value: unknown): string {
  const indented = JSON.stringify(value, null, 2) ?? '{}'
  const line = indented.replace(/\n\s*/g, ' ')
  return `'${(line.length <= 48 ? line : indented).replace(/'/g, "'\\''")}'`
}
