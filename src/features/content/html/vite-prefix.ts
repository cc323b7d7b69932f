const NAME = String.raw`[\w$]{1,40}`
const PREFIX = new RegExp(
  String.raw`["'\x60]modulepreload["'\x60]\s?[,;]\s?(?:(?:const|let|var)\s)?${NAME}\s?=\s?` +
    String.raw`(?:function\s?\(${NAME}\)\s?\{\s?return\s?|\(?${NAME}\)?\s?=>\s?)` +
    String.raw`(["'\x60])\/\1\s?\+`,
)

/**
 * Finds the slash that a Vite build for the root of a host puts before the names of the chunks that
 * it loads.
 * @returns its place; null where there is none
 */
export function findVitePrefix(source: string): number | null {
  const found = PREFIX.exec(source)
  return found && found.index + found[0].lastIndexOf('/')
}
