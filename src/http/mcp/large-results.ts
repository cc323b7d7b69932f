import {
  hasStream,
  type JsonPart,
  JsonStream,
  jsonParts,
  sizeOfParts,
} from '../../model/json-text.ts'
import { type Metadata, sentenceOf, type ToolResult } from '../../model/mcp/results.ts'
import type { Contract } from '../../model/operation.ts'
import { BODY_LIMIT_BYTES } from '../../model/plan.ts'
import { STREAMED_CHARS } from '../kit/json-response.ts'

const SLICE = 64 * 1024

/**
 * Results that are too long to serialize in one turn of the event loop, as the SDK does. It gets a
 * result with placeholders, and the JSON replaces them while it is sent.
 */
export interface LargeResults {
  /** @returns null for a result that is short, contains strangers' words or is over the limit */
  resultOf(contract: Contract, answer: unknown, metadata: Metadata): ToolResult | null
  /** The output of the SDK in parts, with the JSON inserted; null if it has no placeholder. */
  fill(response: string): AsyncIterable<JsonPart> | null
}

/** For one request. */
export function createLargeResults(): LargeResults {
  /** No answer contains it: it is random. */
  const placeholder = crypto.randomUUID()
  let parts: JsonPart[] | null = null

  return {
    resultOf({ http, hasStrangersWords }, answer, metadata) {
      if (!http.jsonText || hasStrangersWords) return null
      const body = { ...(answer as object), ...metadata }
      const found = jsonParts(body)
      const size = sizeOfParts(found)
      const isShort = size <= STREAMED_CHARS && !hasStream(found)
      if (isShort || size > BODY_LIMIT_BYTES) return null
      parts = found
      const sentence = sentenceOf(body)
      const texts = sentence === null ? [placeholder] : [sentence, placeholder]
      return {
        content: texts.map((text) => ({ type: 'text' as const, text })),
        structuredContent: { [placeholder]: true },
      }
    },
    fill: (response) => (parts === null ? null : filled(response, placeholder, parts)),
  }
}

async function* filled(
  response: string,
  placeholder: string,
  parts: readonly JsonPart[],
): AsyncGenerator<JsonPart> {
  const [text, object] = [`"${placeholder}"`, `{"${placeholder}":true}`]
  for (const piece of response.split(new RegExp(`(${object}|${text})`))) {
    if (piece === object) yield* parts
    else if (piece === text) yield* quoted(parts)
    else yield piece
  }
}

/** The JSON as a string of JSON. */
async function* quoted(parts: readonly JsonPart[]): AsyncGenerator<string> {
  const utf8 = new TextDecoder()
  yield '"'
  for (const part of parts) {
    if (part instanceof JsonStream) {
      for await (const piece of part.pieces()) yield JSON.stringify(piece).slice(1, -1)
      continue
    }
    for (let at = 0; at < part.length; at += SLICE) {
      const slice =
        typeof part === 'string'
          ? part.slice(at, at + SLICE)
          : utf8.decode(part.subarray(at, at + SLICE), { stream: at + SLICE < part.length })
      yield JSON.stringify(slice).slice(1, -1)
    }
  }
  yield '"'
}
