import { implement, type Operation } from '../../model/operation.ts'
import { createUpload, createUploadLink } from './contract.ts'
import type { Uploads } from './uploads.ts'

export function contentOperations(uploads: Uploads, baseUrl: string): Operation[] {
  return [
    implement(createUpload, async ({ account }, _input, body) => ({
      data: await uploads.create(account, body),
    })),
    implement(createUploadLink, async ({ account }) => {
      const { token, ...link } = uploads.createLink(account)
      const url = `${baseUrl}/~/uploads/${token}`
      return { data: { ...link, url, command: `curl --upload-file FILE '${url}'` } }
    }),
  ]
}
