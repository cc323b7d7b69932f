import { parse } from 'es-module-lexer/minimal'
import { type Patch, patchText } from './bytes.ts'
import type { RewriteUrl } from './link-lists.ts'

// The lexer's memory grows to about ten times its longest source and is never freed.
const MAX_CHARS = 8 * 1024 * 1024

/**
 * Rewrites the module names in `import`, `export … from` and `import('…')` of a script. A script
 * that cannot be parsed stays as it is.
 */
export function rewriteModule(source: string, rewrite: RewriteUrl): string {
  if (source.length > MAX_CHARS || !mayImport(source)) return source
  const patches: Patch[] = []
  for (const { n: name, s, e, d: dynamicAt } of importsOf(source)) {
    if (name === undefined) continue
    // The range of a dynamic import is its expression, with the quotes.
    const quote = dynamicAt >= 0 ? 1 : 0
    const start = s + quote
    const end = e - quote
    if (source.slice(start, end) !== name) continue
    const next = rewrite(name, start)
    if (next !== null) patches.push({ start, end, text: next })
  }
  return patchText(source, patches)
}

/** What a module imports before it runs, and where the names are in the source. */
export function staticImports(source: string): { name: string; at: number }[] {
  if (source.length > MAX_CHARS || !/import|export/.test(source)) return []
  return importsOf(source).flatMap(({ n: name, s: at, d: dynamicAt }) =>
    name === undefined || dynamicAt >= 0 ? [] : [{ name, at }],
  )
}

function mayImport(source: string): boolean {
  return /["'`]\//.test(source) && /import|export/.test(source)
}

function importsOf(source: string) {
  try {
    return parse(source)[0]
  } catch {
    return []
  }
}
