import { expect, test } from 'bun:test'
import { deleteRequest, errorCodes, listedObjects } from './xml.ts'

const ROW =
  '<Contents><Key>blobs/a&amp;b</Key><LastModified>2026-11-22T14:11:15.000Z</LastModified>' +
  '<Size>12</Size>' +
  '<Owner><ID>x</ID></Owner></Contents>'

test('listed objects have names without escapes, times and sizes; others are left out', () => {
  const rows =
    `${ROW}<Contents><Key>no-time</Key><Size>1</Size></Contents><Contents></Contents>` +
    ROW.replace('<Size>12</Size>', '')
  const writtenMs = Date.UTC(2026, 10, 22, 14, 11, 15)
  const objects = [{ name: 'blobs/a&b', writtenMs, sizeBytes: 12 }]
  for (const [truncated, isWhole] of [
    ['<IsTruncated>false</IsTruncated>', true],
    ['', true],
    ['<IsTruncated>true</IsTruncated>', false],
  ] as const) {
    const xml = `<?xml version="1.0"?><ListBucketResult>${truncated}${rows}</ListBucketResult>`
    expect(listedObjects(xml)).toEqual({ objects, isWhole })
  }
})

test('the codes of errors are found, in an error and in an answer to a deletion', () => {
  for (const [xml, codes] of [
    ['<Error><Code>NoSuchKey</Code><Message>Code</Message></Error>', ['NoSuchKey']],
    ['<R><Error><Code>A</Code></Error><Error><Key>k</Key></Error></R>', ['A', 'no code']],
    ['\n\r \n<?xml version="1.0"?>\n<Error><Code>Late</Code></Error>', ['Late']],
    ['<?xml version="1.0"?>\n <?xml version="1.0"?><Error><Code>Late</Code></Error>', ['Late']],
    ['<html><title>502</title>', []],
    ['<Error><Code>cut', []],
    ['', []],
  ] as const) {
    expect(errorCodes(xml)).toEqual([...codes])
  }
})

test('what is not XML is read in linear time', () => {
  const began = process.cpuUsage()
  for (const part of ['<Error>', '<Contents><Key>', '\n', '<?xml']) {
    const text = part.repeat(500_000)
    expect(listedObjects(text).objects).toEqual([])
    expect(errorCodes(text)).toEqual([])
  }
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(1000)
})

test('a deletion names the objects and asks for errors alone', () => {
  expect(deleteRequest(['blobs/a', 'blobs/b'])).toBe(
    '<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Quiet>true</Quiet>' +
      '<Object><Key>blobs/a</Key></Object><Object><Key>blobs/b</Key></Object></Delete>',
  )
})
