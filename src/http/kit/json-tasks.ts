import { refuse } from '../../model/errors.ts'
import { isModestJson } from '../../platform/json-limits.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Work that blocks the event loop for too long if the JSON is large, so it runs in a thread. */
export const JSON_TASKS = {
  /** @throws Refusal `malformed_json` */
  parseJson({ bytes }: { bytes: Uint8Array }): unknown {
    if (!isModestJson(bytes)) {
      throw refuse.invalid('malformed_json', 'The body has too many values, or too many levels.')
    }
    try {
      return JSON.parse(utf8.decode(bytes))
    } catch {
      throw refuse.invalid('malformed_json', 'The body is not valid JSON in UTF-8.')
    }
  },
}
