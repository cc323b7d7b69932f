/** How much of its plan an account uses. */
export interface AccountUsage {
  pages: number
  published_pages: number
  stored_bytes: number
  responses: number
  response_bytes: number
}

export interface UsageDeps {
  pages: {
    count(accountId: string): Promise<{ pages: number; published_pages: number }>
    idsOf(accountId: string): Promise<string[]>
  }
  versions: { bytesOf(pageIds: readonly string[]): Promise<number> }
  responses: { totalOf(pageIds: readonly string[]): Promise<{ count: number; bytes: number }> }
}

export function createUsage({ pages, versions, responses }: UsageDeps) {
  return async (accountId: string): Promise<AccountUsage> => {
    const [count, ids] = await Promise.all([pages.count(accountId), pages.idsOf(accountId)])
    const [bytes, received] = await Promise.all([versions.bytesOf(ids), responses.totalOf(ids)])
    return {
      ...count,
      stored_bytes: bytes,
      responses: received.count,
      response_bytes: received.bytes,
    }
  }
}
