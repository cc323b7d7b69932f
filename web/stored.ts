import { parseJson } from '../src/model/parse-json.ts'

/**
 * A text in the browser's storage. Storage may be forbidden or full: it then holds nothing, and
 * what is written lasts as long as its document.
 */
export function stored(area: 'localStorage' | 'sessionStorage', key: string) {
  return {
    read(): string | null {
      try {
        return window[area].getItem(key)
      } catch {
        return null
      }
    },
    /** @param text null removes it. @returns whether the browser has taken it */
    write(text: string | null): boolean {
      try {
        if (text === null) window[area].removeItem(key)
        else window[area].setItem(key, text)
        return true
      } catch {
        return false
      }
    },
    /** What was written as JSON; null where that is nothing, or no JSON. */
    readJson(): unknown {
      return parseJson(this.read() ?? 'null')
    },
  }
}
