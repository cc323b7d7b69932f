import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Output, paginate } from '../../../../../src/client/index.ts'
import { api } from '../../../api.ts'

export type OwnersComment = Output<'listComments'>['data'][number]
export type OwnersReply = OwnersComment['replies'][number]

export interface NewestThreads {
  /** Comments and replies, hidden ones too. */
  total: number
  /** With something new in them, the newest first. */
  threads: OwnersComment[]
}

const SHOWN = 5
/** The most that one answer holds. */
const LIMIT = 1000

function threadsQuery(id: string) {
  return queryOptions({
    queryKey: ['comments', id, 'newest'],
    queryFn: async (): Promise<NewestThreads> => {
      const all: OwnersComment[] = []
      for await (const { data } of paginate(api.listComments, { id, limit: LIMIT })) {
        all.push(...data)
      }
      return {
        total: all.reduce((sum, { replies }) => sum + 1 + replies.length, 0),
        threads: all.sort((a, b) => (newestIn(a) < newestIn(b) ? 1 : -1)).slice(0, SHOWN),
      }
    },
    refetchInterval: 30_000,
  })
}

function newestIn({ created_at: createdAt, replies }: OwnersComment): string {
  return replies.at(-1)?.created_at ?? createdAt
}

export function useNewestThreads(id: string) {
  return useQuery(threadsQuery(id))
}

/** Hides, shows again or deletes a comment: shown at once, and taken back if it is refused. */
export function useModeration(pageId: string, commentId: string) {
  const client = useQueryClient()
  const { queryKey } = threadsQuery(pageId)
  return useMutation({
    mutationFn: async (change: 'hide' | 'restore' | 'delete') => {
      const which = { id: pageId, comment_id: commentId }
      if (change === 'delete') await api.deleteComment(which)
      else await api.updateComment({ ...which, is_hidden: change === 'hide' })
    },
    async onMutate(change) {
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData(queryKey)
      if (before) {
        const threads = changed(before.threads, commentId, change) as OwnersComment[]
        client.setQueryData(queryKey, { ...before, threads })
      }
      return { before }
    },
    onError: (_, __, context) => client.setQueryData(queryKey, context?.before),
    onSettled: () => client.invalidateQueries({ queryKey: ['comments', pageId] }),
  })
}

type AnyComment = OwnersReply & { replies?: OwnersReply[] }

function changed(
  comments: readonly AnyComment[],
  id: string,
  change: 'hide' | 'restore' | 'delete',
): AnyComment[] {
  return comments.flatMap((comment) => {
    if (comment.id !== id) {
      const { replies } = comment
      return [replies ? { ...comment, replies: changed(replies, id, change) } : comment]
    }
    return change === 'delete' ? [] : [{ ...comment, is_hidden: change === 'hide' }]
  })
}
