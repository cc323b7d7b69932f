import { type Html, html } from '../../../../model/html.ts'
import { highlight } from './highlight.ts'

/** An example in one language. */
export interface Sample {
  language: string
  code: string
}

const LABELS: Record<string, string> = {
  shell: 'Shell',
  curl: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
  json: 'JSON',
  html: 'HTML',
  mcp: 'MCP',
  cli: 'CLI',
}

/** The language that highlights a sample: all but two are for a shell. */
const SYNTAX: Record<string, string> = { curl: 'shell', cli: 'shell', mcp: 'shell' }

export interface CodeOptions {
  /** Instead of the language. */
  title?: string
  /** Long code scrolls in a box of limited height. */
  isLong?: boolean
}

/** Code with its language above it. The script of the documentation adds a button to copy it. */
export function codeBlock({ language, code }: Sample, { title, isLong }: CodeOptions = {}): Html {
  const label = title ?? LABELS[language] ?? 'Text'
  return html`<figure class="code${isLong && ' long'}">
<figcaption>${label}</figcaption>
${codeOf({ language, code }, isLong && html` tabindex="0" aria-label="${label}"`)}
</figure>
`
}

/**
 * Samples of which the reader chooses one language. The choice is a group of radio buttons, so it
 * works without a script, which only remembers it for other samples and pages.
 *
 * @param id unique on the page
 */
export function samples(id: string, all: readonly Sample[]): Html {
  return html`<figure class="code samples">
<figcaption>
<span class="languages" role="radiogroup" aria-label="Language of the example">${all.map(
    ({ language }, index) => html`
<label><input type="radio" name="language-${id}" value="${language}"${
      index === 0 && html` checked`
    }><span>${LABELS[language] ?? language}</span></label>`,
  )}
</span></figcaption>
${all.map((sample) => codeOf(sample, html` data-language="${sample.language}"`))}
</figure>
`
}

function codeOf({ language, code }: Sample, attributes: Html | false | undefined): Html {
  const syntax = SYNTAX[language] ?? language
  return html`<pre${attributes}><code>${highlight(code, syntax)}</code></pre>`
}
