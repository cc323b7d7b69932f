import { type LiteralSyntax, literal } from './literal.ts'
import type { ExampleRequest } from './request.ts'

/** JSON’s escapes of strings are Python’s, too. */
const SYNTAX: LiteralSyntax = {
  name: (key) => JSON.stringify(key),
  text: (value) => JSON.stringify(value),
  constants: { true: 'True', false: 'False', null: 'None' },
  indent: '    ',
  padding: '',
}

/** Writes the request with the package requests. */
export function pythonCode({ method, url, needsKey, body, answersJson }: ExampleRequest): string {
  const isFile = body !== null && 'file' in body
  const headers = [
    ...(needsKey ? ['"Authorization": f"Bearer {key}"'] : []),
    // For JSON, requests adds the header.
    ...(isFile ? [`"Content-Type": "${body.type}"`] : []),
  ]
  const args = [
    `${JSON.stringify(url)},`,
    ...(headers.length === 1 ? [`headers={${headers[0]}},`] : []),
    ...(headers.length > 1
      ? ['headers={', ...headers.map((header) => `    ${header},`), '},']
      : []),
    ...(isFile ? [`data=open(${JSON.stringify(body.file)}, "rb"),`] : []),
    ...(body !== null && 'json' in body
      ? [`json=${literal(body.json, SYNTAX, { indent: '    ', before: 'json=,' })},`]
      : []),
  ]
  return [
    ...(needsKey ? ['import os'] : []),
    'import requests',
    '',
    ...(needsKey ? ['key = os.environ["HANDBILL_API_KEY"]'] : []),
    `response = requests.${method.toLowerCase()}(`,
    ...args.map((line) => `    ${line}`),
    ')',
    `print(response.status_code${answersJson ? ', response.json()' : ''})`,
  ].join('\n')
}
