import { type LiteralSyntax, literal } from './literal.ts'
import type { ExampleRequest } from './request.ts'

const SYNTAX: LiteralSyntax = {
  name: (key) => (/^[a-z_$][\w$]*$/i.test(key) ? key : quoted(key)),
  text: quoted,
  constants: { true: 'true', false: 'false', null: 'null' },
  indent: '  ',
  padding: ' ',
}

const STRINGIFY = 'body: JSON.stringify('

/** Writes the request with `fetch`, as a module for Node.js, Bun and Deno. */
export function javascriptCode({ method, url, needsKey, body, answersJson }: ExampleRequest) {
  const file = body !== null && 'file' in body ? body.file : null
  const headers = [
    ...(needsKey ? [`Authorization: \`Bearer \${key}\`,`] : []),
    ...(body === null ? [] : [`'Content-Type': ${quoted(body.type)},`]),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`method: ${quoted(method)},`]),
    ...(headers.length === 1 ? [`headers: { ${headers[0]!.slice(0, -1)} },`] : []),
    ...(headers.length > 1 ? ['headers: {', ...headers.map((line) => `  ${line}`), '},'] : []),
    ...(file === null ? [] : [`body: await readFile(${quoted(file)}),`]),
    ...(body !== null && 'json' in body
      ? [`${STRINGIFY}${literal(body.json, SYNTAX, { indent: '  ', before: `${STRINGIFY}),` })}),`]
      : []),
  ]
  return [
    ...(file === null ? [] : ["import { readFile } from 'node:fs/promises'"]),
    ...(needsKey
      ? ["import { env } from 'node:process'", '', 'const key = env.HANDBILL_API_KEY']
      : []),
    `const url = ${quoted(url)}`,
    'const response = await fetch(url, {',
    ...options.map((line) => `  ${line}`),
    '})',
    `console.log(response.status${answersJson ? ', await response.json()' : ''})`,
  ].join('\n')
}

function quoted(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  return `'${escaped.replaceAll("'", "\\'")}'`
}
