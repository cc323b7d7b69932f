import type { Conversation } from '../../model/conversation.ts'

/** The approval in the panel. Its button shows no number, since not every viewer may know it. */
export const approvalConversation: Conversation = {
  id: 'approval',
  isOn: ({ settings }) => settings.collect_approvals,
  count: async () => null,
}
