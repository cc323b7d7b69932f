import { type Html, html } from '../../../../model/html.ts'

/** The named groups are the classes of the pieces. Everything else has the colour of the text. */
const PATTERNS: Record<string, RegExp> = {
  shell: anyOf(
    /(?<comment>(?<=^|\s)#.*$)/,
    /(?<string>"(?:\\.|[^"\\])*"|'[^']*')/,
    /(?<name>(?<=^|\| )\w+)/,
  ),
  javascript: anyOf(
    /(?<comment>\/\/.*$)/,
    /(?<string>'(?:\\.|[^'\\])*'|"[^"]*"|`[^`]*`)/,
    /(?<keyword>\b(?:const|await|import|from|new|if|throw|true|false|null)\b)/,
  ),
  python: anyOf(
    /(?<comment>#.*$)/,
    /(?<string>(?<!\w)f?"(?:\\.|[^"\\])*")/,
    /(?<keyword>\b(?:import|from|if|not|raise|with|as|True|False|None)\b)/,
  ),
  json: anyOf(
    /(?<name>"(?:\\.|[^"\\])*"(?=\s*:))/,
    /(?<string>"(?:\\.|[^"\\])*")/,
    /(?<keyword>\b(?:true|false|null)\b)/,
  ),
  html: anyOf(/(?<comment><!--[\s\S]*?-->)/, /(?<name><\/?[\w-]+|>)/, /(?<string>"[^"]*")/),
}

function anyOf(...patterns: RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), 'gm')
}

const LANGUAGES: Record<string, string> = { sh: 'shell', js: 'javascript', py: 'python' }

/** The name of a language, of its short form too. */
export function languageOf(name: string): string {
  return LANGUAGES[name] ?? name
}

/** Marks comments, strings, keywords and names. Code of an unknown language stays as it is. */
export function highlight(code: string, language: string): Html {
  const pattern = PATTERNS[language]
  if (pattern === undefined) return html`${code}`
  const pieces: Html[] = []
  let end = 0
  for (const { 0: text, index, groups = {} } of code.matchAll(pattern)) {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined) ?? ''
    pieces.push(html`${code.slice(end, index)}<span class="${kind}">${text}</span>`)
    end = index + text.length
  }
  return html`${pieces}${code.slice(end)}`
}
