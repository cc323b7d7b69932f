import {
  implement,
  implementVisitor,
  type Operation,
  type VisitorOperation,
} from '../../model/operation.ts'
import type { Comments } from './comments.ts'
import * as contracts from './contract.ts'

export function commentOperations(comments: Comments): Operation[] {
  return [
    implement(contracts.listComments, ({ page }, query) => comments.list(page, query)),
    implement(contracts.createComment, async (request, input) => ({
      data: await comments.create(request, input),
    })),
    implement(contracts.replyToComments, async (request, { reply_comments: replies }) => ({
      data: (await comments.reply(request, replies)).map((row) => ({
        id: row.id,
        comment_id: row.parent_id,
      })),
    })),
    implement(contracts.updateComment, async ({ page }, { comment_id: id, ...change }) => ({
      data: await comments.update(page, id, change),
    })),
    implement(contracts.resolveComments, async ({ page }, { comment_ids: ids, state }) => {
      await comments.setStates(page.id, ids, state)
      return { data: [...new Set(ids)].map((id) => ({ id, state })) }
    }),
    implement(contracts.deleteComment, ({ page }, { comment_id: id }) =>
      comments.remove(page.id, id),
    ),
  ]
}

export function commentVisitorOperations(comments: Comments): VisitorOperation[] {
  return [
    implementVisitor(contracts.readThread, async ({ page, participant }, input) => ({
      data: await comments.read(page, participant, input),
    })),
    implementVisitor(contracts.postComment, async (request, input) => ({
      data: await comments.post(request, input),
    })),
    implementVisitor(contracts.editComment, async ({ page, participant }, input) => ({
      data: await comments.edit(page, participant, input),
    })),
    implementVisitor(contracts.withdrawComment, async (request, { comment_id: id }) => {
      await comments.withdraw(request.page, request.participant, id)
      return { data: { id } }
    }),
  ]
}
