import { decodeXML, encodeXML } from 'entities'

export interface ListedObject {
  name: string
  writtenMs: number
  sizeBytes: number
}

interface ListedObjects {
  objects: ListedObject[]
  /** There are none after these. */
  isWhole: boolean
}

/** Reads the answer to `ListObjects`. What lacks a name, a time or a size is left out. */
export function listedObjects(xml: string): ListedObjects {
  const objects = elementsIn(xml, 'Contents').flatMap((contents) => {
    const name = textIn(contents, 'Key')
    const writtenMs = Date.parse(textIn(contents, 'LastModified') ?? '')
    const sizeBytes = Number(textIn(contents, 'Size') ?? Number.NaN)
    const isWhole = name !== null && !Number.isNaN(writtenMs) && !Number.isNaN(sizeBytes)
    return isWhole ? [{ name, writtenMs, sizeBytes }] : []
  })
  return { objects, isWhole: textIn(xml, 'IsTruncated') !== 'true' }
}

/** The codes of the errors in an answer, such as `NoSuchKey`. */
export function errorCodes(xml: string): string[] {
  return elementsIn(xml, 'Error').map((error) => textIn(error, 'Code') ?? 'no code')
}

/** The body of `DeleteObjects`, which answers nothing but errors. Names need no escape. */
export function deleteRequest(names: readonly string[]): string {
  const objects = names.map((name) => `<Object><Key>${name}</Key></Object>`).join('')
  const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/'
  return `<Delete xmlns="${namespace}"><Quiet>true</Quiet>${objects}</Delete>`
}

/** The body of `CompleteMultipartUpload`. @param etags of its parts, in their order */
export function completeRequest(etags: readonly string[]): string {
  const parts = etags.map(
    (etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${encodeXML(etag)}</ETag></Part>`,
  )
  const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/'
  return `<CompleteMultipartUpload xmlns="${namespace}">${parts.join('')}</CompleteMultipartUpload>`
}

/** Reads the answer to `CreateMultipartUpload`. */
export function uploadIdIn(xml: string): string | null {
  return textIn(xml, 'UploadId')
}

/** The contents of the elements of this name. S3 never nests an element in one of its name. */
function elementsIn(xml: string, name: string): string[] {
  const elements: string[] = []
  const [open, close] = [`<${name}>`, `</${name}>`]
  for (let at = xml.indexOf(open); at >= 0; at = xml.indexOf(open, at)) {
    const end = xml.indexOf(close, at)
    if (end < 0) break
    elements.push(xml.slice(at + open.length, end))
    at = end
  }
  return elements
}

function textIn(xml: string, name: string): string | null {
  const [text] = elementsIn(xml, name)
  return text === undefined ? null : decodeXML(text)
}
