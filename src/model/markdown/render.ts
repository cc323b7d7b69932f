import { Marked, type MarkedExtension } from 'marked'
import markedAlert from 'marked-alert'
import markedFootnote from 'marked-footnote'
import { gfmHeadingId } from 'marked-gfm-heading-id'
import { escapeHtml, rawHtml } from '../html.ts'
import { readingPage } from '../reading-page.ts'
import { linkToPage, MERMAID_PATH, withoutFrontMatter } from './source.ts'

export interface MarkdownToRender {
  text: string
  /** The path of the file. Its name is the title of a text without a heading. */
  path?: string
  /** In a deck, the HTML file of each file of Markdown: links lead there. */
  pages?: ReadonlyMap<string, string>
  /** Text can be made so that rendering takes minutes. */
  maxMs?: number
}

const MAX_MS = 5000

const MERMAID = `<script src="${MERMAID_PATH}"></script>
<script>mermaid.initialize({startOnLoad:true,theme:
matchMedia('(prefers-color-scheme:dark)').matches?'dark':'neutral'})</script>
`

/**
 * A readable document of Markdown with what GitHub adds to it. HTML in it stays as it is: published
 * pages are sandboxed. The title is its first heading, else the name of the file. Code and formulas
 * are rendered here, so that a page needs no script; diagrams need a browser.
 *
 * @throws RangeError where it is nested too deep, or takes too long
 */
export async function renderMarkdown({
  text: markdown,
  path = '',
  pages,
  maxMs = MAX_MS,
}: MarkdownToRender): Promise<string> {
  const { text, title: ownTitle } = withoutFrontMatter(markdown)
  let title = ownTitle
  const marked = new Marked({ gfm: true }, markedAlert(), markedFootnote(), gfmHeadingId())
  marked.use({
    renderer: { checkbox },
    extensions: deadline(performance.now() + maxMs),
    walkTokens(token) {
      if (token.type === 'heading' && token.depth === 1) title ??= titleOf(token.text)
    },
  })
  if (pages !== undefined) marked.use(linksTo(pages, path))
  if (/[$]|^[^\S\n]*(?:```|~~~)\s*math\b/m.test(text)) marked.use(await math())
  if (/```|~~~/.test(text)) marked.use(await highlighting())
  const body = marked.parse(text, { async: false })
  const diagrams = body.includes('<pre class="mermaid">') ? MERMAID : ''
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '')
  return readingPage(title ?? name, rawHtml(body + diagrams), MARKDOWN_STYLES)
}

/** It is called at each piece of the text, and takes none. */
function deadline(end: number): NonNullable<MarkedExtension['extensions']> {
  function tokenizer(): undefined {
    if (performance.now() > end) throw new RangeError('Rendering takes too long')
  }
  return (['block', 'inline'] as const).map((level) => {
    return { name: `deadline-${level}`, level, tokenizer, renderer: () => '' }
  })
}

const titleOf = (heading: string) => heading.slice(0, 300).replace(/[*_`]/g, '')

function checkbox({ checked }: { checked: boolean }): string {
  const state = checked ? ' checked aria-label="Done"' : ' aria-label="Not done"'
  return `<input type="checkbox" disabled${state}> `
}

/** Relative links to files of Markdown lead to their HTML. */
function linksTo(pages: ReadonlyMap<string, string>, path: string): MarkedExtension {
  return {
    walkTokens(token) {
      if (token.type !== 'link') return
      const [, link, rest] = /^([^?#]*)(.*)$/s.exec(token.href)!
      const page = linkToPage(link!, { pages, path })
      if (page !== null) token.href = page + rest
    },
  }
}

/** Longer code stays without colours. */
const MAX_CODE_CHARS = 100_000

async function highlighting(): Promise<MarkedExtension> {
  const { default: highlighter } = await import('highlight.js/lib/common')
  return {
    renderer: {
      code({ text, lang = '' }) {
        const language = /^\S*/.exec(lang)![0].toLowerCase()
        if (language === 'mermaid') return `<pre class="mermaid">${escapeHtml(text)}</pre>\n`
        if (language === 'math') return false
        const isKnown = highlighter.getLanguage(language) && text.length <= MAX_CODE_CHARS
        const code = isKnown ? highlighter.highlight(text, { language }).value : escapeHtml(text)
        return `<pre tabindex="0"><code>${code.trimEnd()}\n</code></pre>\n`
      },
    },
  }
}

/** As on GitHub: a price such as $5 is no formula. */
const INLINE = /^\$`([^`\n]+)`\$|^\$(?!\s)((?:\\.|[^\\$\n`])*?(?:\\.|[^\\$\s`]))\$(?![\w$])/
const DISPLAY = /^\$\$((?:\\.|[^\\$])+?)\$\$/
const BLOCK = /^ {0,3}\$\$[ \t]*\n([^$]+)\n[ \t]*\$\$[ \t]*(?:\n|$)/

async function math(): Promise<MarkedExtension> {
  const { default: temml } = await import('temml')
  /** What is no formula stays as it was written. */
  function render(tex: string, displayMode: boolean): string {
    try {
      return temml.renderToString(tex.trim(), { displayMode, throwOnError: true })
    } catch {
      return `<code>${escapeHtml(tex)}</code>`
    }
  }
  return {
    extensions: [
      {
        name: 'math-block',
        level: 'block',
        tokenizer(text) {
          const match = BLOCK.exec(text)
          return match === null ? undefined : { type: 'math-block', raw: match[0], tex: match[1] }
        },
        renderer: ({ tex }) => `${render(tex, true)}\n`,
      },
      {
        name: 'math',
        level: 'inline',
        start: (text) => text.indexOf('$'),
        tokenizer(text) {
          const display = DISPLAY.exec(text)
          const match = display ?? INLINE.exec(text)
          if (match === null) return
          const tex = match[1] ?? match[2]
          return { type: 'math', raw: match[0], tex, isDisplay: display !== null }
        },
        renderer: ({ tex, isDisplay }) => render(tex, isDisplay),
      },
    ],
    renderer: {
      code: ({ text, lang }) => (lang === 'math' ? `${render(text, true)}\n` : false),
    },
  }
}

/** What Markdown adds to a readable page: alerts, footnotes, lists of tasks, colours of code. */
export const MARKDOWN_STYLES = `
:root{--note:#1f5fbf;--tip:#1a7f4b;--important:#7a4bc2;--warning:#8f5a00;--caution:#b3261e}
@media (prefers-color-scheme:dark){:root{--note:#8ab4f8;--tip:#7ccf9f;--important:#c3a6f0;
--warning:#e3b35c;--caution:#f2a49d}}
:is(th,td)[align=center]{text-align:center}:is(th,td)[align=right]{text-align:right}
li:has(>input[type=checkbox]){list-style:none}
li>input[type=checkbox]{margin:0 .4em 0 -1.4em;vertical-align:middle}
.markdown-alert{--c:var(--note);border-left:3px solid var(--c);padding-left:16px;margin:0 0 1em}
.markdown-alert>:last-child{margin-bottom:0}
.markdown-alert-title{display:flex;align-items:center;gap:8px;color:var(--c);font-weight:600;
margin-bottom:.25em}
.markdown-alert-title svg{fill:currentColor;flex:none}
.markdown-alert-tip{--c:var(--tip)}.markdown-alert-important{--c:var(--important)}
.markdown-alert-warning{--c:var(--warning)}.markdown-alert-caution{--c:var(--caution)}
.footnotes{border-top:1px solid var(--line);margin-top:3em;padding-top:1em;font-size:.85em}
.sr-only{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
[data-footnote-ref]{text-decoration:none}
math[display=block]{overflow-x:auto;overflow-y:hidden;margin:0 0 1em}
.mermaid{background:none;padding:0;text-align:center}
.hljs-comment,.hljs-quote,.hljs-meta{color:var(--muted)}
.hljs-keyword,.hljs-selector-tag,.hljs-literal,.hljs-deletion,.hljs-name{color:var(--caution)}
.hljs-string,.hljs-regexp,.hljs-addition,.hljs-template-variable{color:var(--tip)}
.hljs-title,.hljs-section,.hljs-selector-id,.hljs-selector-class{color:var(--important)}
.hljs-number,.hljs-attr,.hljs-attribute,.hljs-variable,.hljs-symbol,.hljs-bullet,
.hljs-link{color:var(--note)}
.hljs-built_in,.hljs-type,.hljs-params .hljs-type{color:var(--warning)}
.hljs-emphasis{font-style:italic}.hljs-strong{font-weight:600}
`.trimEnd()
