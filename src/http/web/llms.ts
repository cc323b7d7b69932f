import { groupsOf, type OpenApiDocument, type Schema } from './reference/document.ts'
import { errorAnchor } from './reference/errors.ts'
import { joined, objectText, operationText } from './reference/markdown.ts'
import { titleOf } from './reference/operation.ts'
import { chaptersOf } from './reference/prose.ts'

/** What a language model is told first, in the shape of llmstxt.org: where everything is. */
export function llmsTxt(document: OpenApiDocument, baseUrl: string): string {
  const docs = `${baseUrl}/docs`
  const { intro, chapters } = chaptersOf(document.info.description)
  return lines([
    '# Handbill',
    `> ${document.info.summary}`,
    intro.trim(),
    '## Documents',
    [
      link('Everything in one text', `${baseUrl}/llms-full.txt`, 'all that follows, in full'),
      link('Reference', docs, 'the same for people'),
      link('OpenAPI 3.1', `${baseUrl}/openapi.json`, 'the same for programs'),
    ],
    '## Guide',
    chapters.map(({ id, title }) => link(title, `${docs}#${id}`)),
    ...groupsOf(document).flatMap(({ name, operations }) => [
      `## ${name}`,
      operations.map((placed) => {
        const { id, method, path } = placed
        return link(`${method.toUpperCase()} ${path}`, `${docs}#${id}`, titleOf(placed))
      }),
    ]),
    '## Errors',
    errorsOnce(document).map(({ code, status, meaning }) =>
      link(code, `${docs}#${errorAnchor(code)}`, `${status}. ${meaning}`),
    ),
  ])
}

/** All that an agent needs to use the service, without another document. */
export function llmsFullTxt(document: OpenApiDocument, baseUrl: string): string {
  const server = document.servers?.[0]?.url ?? baseUrl
  const schemas = Object.entries(document.components?.schemas ?? {}) as [string, Schema][]
  const schemes = Object.values(document.components?.securitySchemes ?? {})
  return lines([
    `# ${document.info.title}`,
    `> ${document.info.summary}`,
    document.info.description,
    '## Authentication',
    'Send `Authorization: Bearer $HANDBILL_API_KEY` with every request.',
    ...schemes.map((scheme) => (scheme as { description?: string }).description),
    '## Operations',
    `Paths are below \`${server}\`.`,
    ...groupsOf(document).flatMap(({ operations }) =>
      operations.map((placed) => operationText(document, placed, server)),
    ),
    '## Objects',
    ...schemas.map(([name, schema]) => objectText(name, schema)),
    '## Errors',
    'A refusal is `{"error": {"code", "message", …}}`, and nothing was changed by it.',
    errorsOnce(document).map(
      ({ code, status, meaning, cure }) => `- \`${code}\` (${status}): ${meaning} ${cure}`,
    ),
  ])
}

/** A code that is told in two places is told once here. */
function errorsOnce(document: OpenApiDocument) {
  const told = document['x-errors'] ?? []
  return told.filter(({ code }, at) => told.findIndex((other) => other.code === code) === at)
}

function link(title: string, url: string, words?: string): string {
  return `- [${title}](${url})${words === undefined ? '' : `: ${words}`}`
}

function lines(blocks: (string | string[] | undefined)[]): string {
  return `${joined(blocks.map((block) => (Array.isArray(block) ? block.join('\n') : block)))}\n`
}
