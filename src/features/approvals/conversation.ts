import type { Conversation } from '../../model/conversation.ts'

/** The approval in the panel. Its button tells nobody how many have decided. */
export const approvalConversation: Conversation = {
  id: 'approval',
  isOn: ({ settings }) => settings.collect_approvals,
  count: async () => null,
}
