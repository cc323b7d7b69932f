import { encodeXML } from 'entities'

const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/'

export interface ListedObject {
  name: string
  writtenMs: number
  sizeBytes: number
}

/**
 * Reads the answer to `ListObjects`. What lacks a name, a time or a size is left out. It `isWhole`
 * where there are none after these.
 */
export function listedObjects(xml: string) {
  const objects = elementsIn(xml, 'Contents').flatMap((contents): ListedObject[] => {
    const { Key: name, LastModified: time = '', Size: size = Number.NaN } = contents
    const [writtenMs, sizeBytes] = [Date.parse(time), Number(size)]
    const isWhole = name !== undefined && !Number.isNaN(writtenMs) && !Number.isNaN(sizeBytes)
    return isWhole ? [{ name, writtenMs, sizeBytes }] : []
  })
  return { objects, isWhole: elementsIn<string>(xml, 'IsTruncated')[0] !== 'true' }
}

/** The codes of the errors in an answer, such as `NoSuchKey`. */
export function errorCodes(xml: string): string[] {
  return elementsIn(xml, 'Error').map(({ Code: code = 'no code' }) => code)
}

/** The body of `DeleteObjects`, which answers nothing but errors. Names need no escape. */
export function deleteRequest(names: readonly string[]): string {
  const objects = names.map((name) => `<Object><Key>${name}</Key></Object>`).join('')
  return `<Delete xmlns="${NAMESPACE}"><Quiet>true</Quiet>${objects}</Delete>`
}

/** The body of `CompleteMultipartUpload`. @param etags of its parts, in their order */
export function completeRequest(etags: readonly string[]): string {
  const parts = etags.map(
    (etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${encodeXML(etag)}</ETag></Part>`,
  )
  return `<CompleteMultipartUpload xmlns="${NAMESPACE}">${parts.join('')}</CompleteMultipartUpload>`
}

/** Reads the answer to `CreateMultipartUpload`. */
export function uploadIdIn(xml: string): string | null {
  return elementsIn<string>(xml, 'UploadId')[0] ?? null
}

/** Stores send white space, and some the declaration too, while their answer is not ready. */
const AHEAD = /^\s*(?:<\?xml[^>]*>\s*)*/

/** Elements by name: of each its text or what is in it; a list where there are several. */
type Elements = Record<string, unknown>

/** What is in the elements of this name: the root, or those in it. Nothing in what is no XML. */
function elementsIn<Content = Record<string, string | undefined>>(
  xml: string,
  name: string,
): Content[] {
  let document: Elements
  try {
    document = Bun.XML.parse(xml.replace(AHEAD, '')) as Elements
  } catch {
    return []
  }
  const root = Object.values(document)[0] as Elements
  return [document, root].flatMap((each) => (each[name] ?? []) as Content | Content[])
}
