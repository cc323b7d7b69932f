import { type Html, html } from '../../kit/html.ts'
import type { DescribedError, OpenApiDocument, Operation } from './document.ts'
import { inline } from './prose.ts'

export function errorAnchor(code: string): string {
  return `error-${code}`
}

const PLACES: [where: DescribedError['where'], title: string, words: string][] = [
  ['everywhere', 'Of any request', 'What may be answered whatever is asked for.'],
  ['operations', 'Of some operations', 'Each operation below names its own.'],
  [
    'forms',
    'Of a page’s own form',
    'The `code` that `Service.submit` rejects with, beside `offline` and `failed`.',
  ],
]

/** Each code with its status, what it means, and what to do. */
export function errorLists(document: OpenApiDocument): Html {
  const all = document['x-errors'] ?? []
  return html`${PLACES.map(([place, title, words]) => {
    const told = all.filter(({ where }) => where === place)
    return (
      told.length > 0 &&
      html`<h3>${title}</h3>
<p>${inline(words)}</p>
<dl class="errors">${told.map((one) => entryOf(one, all.indexOf(one)))}</dl>
`
    )
  })}`

  /** A code that is told twice has its anchor at the first. */
  function entryOf({ code, status, meaning, cure }: DescribedError, index: number): Html {
    const isFirst = all.findIndex((other) => other.code === code) === index
    const name = isFirst ? html`<a href="#${errorAnchor(code)}">${code}</a>` : code
    return html`<div${isFirst && html` id="${errorAnchor(code)}"`}>
<dt><code class="name">${name}</code> <span class="type">${status}</span></dt>
<dd><p>${inline(meaning)}</p><p class="cure">${inline(cure)}</p></dd>
</div>
`
  }
}

/** An operation's codes under their statuses, each leading to its meaning. */
export function refusalsOf(document: OpenApiDocument, operation: Operation): Html | undefined {
  const codes = operation['x-error-codes'] ?? []
  if (codes.length === 0) return undefined
  const statuses = Object.groupBy(codes, (code) => String(statusOf(document, code)))
  return html`<h4>Refused with</h4>
<dl class="codes">${Object.entries(statuses).map(
    ([status, some = []]) => html`<div><dt><code>${status}</code></dt>
<dd>${some.map(linkTo)}</dd></div>
`,
  )}</dl>
`
}

function linkTo(code: string): Html {
  return html`<a href="#${errorAnchor(code)}"><code>${code}</code></a> `
}

function statusOf(document: OpenApiDocument, code: string): number {
  return document['x-errors']?.find((told) => told.code === code)?.status ?? 400
}
