import { decodeHTMLStrict } from 'entities'
import type { Html } from '../../src/model/html.ts'
import { SERVER_URL } from '../../src/model/site.ts'
import { type DocsPage, plainText, splitChapters } from './markup.ts'
import {
  authenticationTexts,
  bodyOf,
  type DescribedError,
  type Endpoint,
  errorAddress,
  groupEndpoints,
  namedSchemas,
  type OpenApiDocument,
  type OperationObject,
  operationAddress,
  type SchemaObject,
  scopesOf,
  sessionServerOf,
  successOf,
  titleOf,
} from './openapi.ts'
import { API_URL, curlCommand, exampleRequest } from './samples.ts'
import { limitsOf, type MemberEntry, nestedObject, typeOf } from './schema.ts'

/** An index of the documentation for language models, in the format of llmstxt.org. */
export function llmsTxt(document: OpenApiDocument, guides: readonly DocsPage[]): string {
  const { intro } = splitChapters(document.info.description)
  return joinSections([
    '# Handbill',
    `> ${document.info.summary}`,
    intro.trim(),
    '## Documents',
    [
      link('Everything in one text', `${SERVER_URL}/llms-full.txt`, 'all that follows, in full'),
      link('OpenAPI 3.1', `${SERVER_URL}/openapi.json`, 'the same for programs'),
      link('A skill', `${SERVER_URL}/skill.md`, 'for coding agents'),
      link('The command line', `${SERVER_URL}/cli`, 'one file to save, for Node.js 20 or newer'),
    ],
    '## Guides',
    guides.map(({ path, title, lead }) =>
      link(title, SERVER_URL + path, lead && firstSentence(plainText(lead))),
    ),
    ...groupEndpoints(document).flatMap(({ name, endpoints }) => [
      `## ${name}`,
      endpoints.map((endpoint) => {
        const { method, path } = endpoint
        const url = SERVER_URL + operationAddress(endpoint)
        return link(`${method.toUpperCase()} ${path}`, url, titleOf(endpoint))
      }),
    ]),
    '## Errors',
    uniqueErrors(document).map(({ code, status, meaning }) =>
      link(code, SERVER_URL + errorAddress(code), `${status}. ${meaning}`),
    ),
  ])
}

/** The whole reference in one text. An agent needs no other document. */
export function llmsFullTxt(document: OpenApiDocument): string {
  return joinSections([
    `# ${document.info.title}`,
    `> ${document.info.summary}`,
    document.info.description,
    '## Authentication',
    'Send `Authorization: Bearer $HANDBILL_API_KEY` with every request.',
    ...authenticationTexts(document),
    '## Operations',
    `Paths are below \`${API_URL}\`.`,
    ...groupEndpoints(document).flatMap(({ endpoints }) =>
      endpoints.map((endpoint) => operationText(document, endpoint)),
    ),
    '## Objects',
    ...namedSchemas(document).map(([name, schema]) => objectText(name, schema)),
    '## Errors',
    'An error is `{"error": {"code", "message", …}}`. The request changed nothing.',
    uniqueErrors(document).map(
      ({ code, status, meaning, cure }) => `- \`${code}\` (${status}): ${meaning} ${cure}`,
    ),
  ])
}

function firstSentence(text: string): string {
  return /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text
}

/** A code can be in two lists of the reference. It is listed once here. */
function uniqueErrors(document: OpenApiDocument): DescribedError[] {
  const errors = document['x-errors']
  return errors.filter(({ code }, at) => errors.findIndex((one) => one.code === code) === at)
}

function link(title: string, url: string, text?: string): string {
  return `- [${title}](${url})${text === undefined ? '' : `: ${text}`}`
}

function joinSections(sections: (string | string[] | undefined)[]): string {
  const blocks = sections.map((block) => (Array.isArray(block) ? block.join('\n') : block))
  return `${joinBlocks(blocks)}\n`
}

function operationText(document: OpenApiDocument, endpoint: Endpoint): string {
  const { method, path, operation } = endpoint
  const tools = operation['x-mcp-tools'] ?? []
  return joinBlocks([
    `### ${titleOf(endpoint)}`,
    `\`${method.toUpperCase()} ${path}\`${tools.length > 0 ? `, MCP: ${inlineCode(tools)}` : ''}`,
    operation.description,
    parametersText(operation),
    bodyText(operation),
    responseText(operation),
    `Refused with: ${inlineCode(operation['x-error-codes'] ?? [])}.`,
    requestText(document, endpoint),
  ])
}

function requestText(document: OpenApiDocument, endpoint: Endpoint): string {
  if (sessionServerOf(endpoint.operation) !== null) {
    return 'Takes no API key: only the app calls it, for a signed-in account.'
  }
  const scopes = scopesOf(endpoint.operation)
  const needed = scopes.length === 0 ? '' : `Needs a key with ${inlineCode(scopes)}.\n\n`
  return `${needed}\`\`\`sh\n${curlCommand(exampleRequest(document, endpoint))}\n\`\`\``
}

function objectText(name: string, schema: SchemaObject): string {
  return joinBlocks([`### ${name}`, schema.description, membersText(schema, false)])
}

function joinBlocks(blocks: (string | undefined)[]): string {
  return blocks.filter((block) => block !== undefined && block !== '').join('\n\n')
}

function parametersText({ parameters = [] }: OperationObject): string {
  return parameters
    .map(({ name, in: location, required, schema, description }) =>
      memberLine({ name, schema, isRequired: required === true, description, location }),
    )
    .join('\n')
}

function bodyText(operation: OperationObject): string {
  const body = bodyOf(operation)
  return body === null
    ? ''
    : joinBlocks([`Body, \`${body.type}\`:`, membersText(body.schema, true)])
}

function responseText(operation: OperationObject): string {
  const { status, content } = successOf(operation)
  if (content['*/*'] !== undefined) return `Answers \`${status}\`: the file.`
  const others = Object.keys(content).filter((type) => type !== 'application/json')
  const types = others.length > 0 ? `, or ${inlineCode(others)} where asked for` : ''
  const members = membersText(content['application/json']?.schema ?? {}, false)
  if (members === '') return `Answers \`${status}\`, without a body.`
  return joinBlocks([`Answers \`${status}\`${types}:`, members])
}

function membersText(schema: SchemaObject, isRequest: boolean, depth = 0): string {
  return Object.entries(schema.properties ?? {})
    .map(([name, member]) => {
      const isRequired = isRequest && schema.required?.includes(name) === true
      const line = memberLine({ name, schema: member, isRequired, depth })
      const nested = depth < 3 ? membersText(nestedObject(member), isRequest, depth + 1) : ''
      return nested === '' ? line : `${line}\n${nested}`
    })
    .join('\n')
}

interface MemberLine extends Omit<MemberEntry, 'direction'> {
  /** `path`, `query` or `header`, for a parameter. */
  location?: string
}

function memberLine(line: MemberLine): string {
  const { name, schema, isRequired, description, location, depth = 0 } = line
  const facts = [
    toMarkdown(typeOf(schema)),
    location !== undefined && `in ${location}`,
    isRequired && 'required',
    ...limitsOf(schema).map(toMarkdown),
  ].filter((part) => part !== false)
  const text = description ?? schema.description
  return `${'  '.repeat(depth)}- \`${name}\` (${facts.join('; ')})${text ? `: ${text}` : ''}`
}

function inlineCode(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

/** Converts the HTML of schema.ts to Markdown: code gets backticks, a link becomes its text. */
function toMarkdown(markup: Html): string {
  const text = markup
    .toString()
    .replace(/<\/?code>/g, '`')
    .replace(/<[^>]*>/g, '')
  return decodeHTMLStrict(text)
}
