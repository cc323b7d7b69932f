import type * as Sdk from '@modelcontextprotocol/server'

/** Loads the SDK at the first call. It is a tenth of an idle server's memory. */
export function loadSdk(): Promise<typeof Sdk> {
  return import('@modelcontextprotocol/server')
}
