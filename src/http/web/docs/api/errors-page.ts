import { type Html, html } from '../../../../model/html.ts'
import type { DescribedError, OpenApiDocument } from '../../../kit/openapi-document.ts'
import { codeBlock } from '../markup/code.ts'
import { renderInline } from '../markup/markdown.ts'
import type { DocsPage, Section } from '../markup/page.ts'
import { resolveReference, type SchemaObject } from '../openapi/document.ts'
import { ERRORS_PATH, errorAnchor } from './addresses.ts'
import { memberList } from './schema.ts'

interface ErrorList {
  where: DescribedError['where']
  title: string
  text: string
}

const ERROR_LISTS: ErrorList[] = [
  { where: 'everywhere', title: 'Errors of any request', text: 'Any request can get these.' },
  {
    where: 'operations',
    title: 'Errors of some operations',
    text: 'The reference of each operation names its own.',
  },
  {
    where: 'forms',
    title: 'Errors of a page’s own form',
    text: 'The `code` that `Service.submit` rejects with, beside `files`, `offline` and `failed`.',
  },
]

const EXAMPLE = `{
  "error": {
    "code": "duplicate_title",
    "message": "…",
    "param": "title"
  }
}`

/** Lists each error code with its status, its meaning and its cure. */
export function errorsPage(document: OpenApiDocument): DocsPage {
  const shape: Section = { id: 'shape', title: 'What an error looks like', body: shapeOf(document) }
  return {
    path: ERRORS_PATH,
    title: 'Errors',
    lead: html`An error has a status, a stable code for programs, and a message for people that says
what to do. A request that is answered with an error changed nothing.`,
    sections: [shape, ...errorLists(document)],
  }
}

function shapeOf(document: OpenApiDocument): Html {
  const reference = (document.components?.schemas?.Error ?? {}) as SchemaObject
  const schema = resolveReference(document, reference)
  return html`${codeBlock({ language: 'json', code: EXAMPLE })}
${memberList(schema.properties?.error ?? {}, 'response')}`
}

function errorLists(document: OpenApiDocument): Section[] {
  const all = document['x-errors'] ?? []
  const lists = ERROR_LISTS.map(({ where, title, text }) => {
    const errors = all.filter((error) => error.where === where)
    // A code can be in two lists. Only its first entry gets the anchor.
    const own = errors.filter((error) => all.find(({ code }) => code === error.code) === error)
    return {
      errors,
      section: {
        id: `errors-${where}`,
        title,
        searchText: text.replaceAll('`', ''),
        body: html`<p>${renderInline(text)}</p>
<dl class="errors">${errors.map((error) => errorEntry(error, own.includes(error)))}</dl>`,
        entries: own.map(({ code, status, meaning, cure }) => ({
          id: errorAnchor(code),
          title: code,
          text: `${status}. ${meaning} ${cure}`.replaceAll('`', ''),
        })),
      },
    }
  })
  return lists.filter(({ errors }) => errors.length > 0).map(({ section }) => section)
}

function errorEntry({ code, status, meaning, cure }: DescribedError, hasAnchor: boolean): Html {
  const name = hasAnchor ? html`<a href="#${errorAnchor(code)}">${code}</a>` : code
  return html`<div${hasAnchor && html` id="${errorAnchor(code)}"`}>
<dt><code class="name">${name}</code> <span class="type">${status}</span></dt>
<dd><p>${renderInline(meaning)}</p><p class="cure">${renderInline(cure)}</p></dd>
</div>
`
}
