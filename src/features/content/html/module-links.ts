import { parse } from 'es-module-lexer/minimal'
import type { Patch } from './bytes.ts'
import type { RewriteUrl } from './link-lists.ts'

// The lexer's memory grows to about ten times its longest source and is never freed.
export const MAX_SCRIPT_CHARS = 8 * 1024 * 1024

/**
 * Finds the module names in `import`, `export … from` and `import('…')` that are to be rewritten;
 * none in a script that cannot be parsed.
 */
export function importPatches(source: string, rewrite: RewriteUrl): Patch[] {
  if (!/import|export/.test(source)) return []
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
  return patches
}

/** What a module imports before it runs, and where the names are in the source. */
export function staticImports(source: string): { name: string; at: number }[] {
  if (source.length > MAX_SCRIPT_CHARS || !/import|export/.test(source)) return []
  return importsOf(source).flatMap(({ n: name, s: at, d: dynamicAt }) =>
    name === undefined || dynamicAt >= 0 ? [] : [{ name, at }],
  )
}

function importsOf(source: string) {
  try {
    return parse(source)[0]
  } catch {
    return []
  }
}
