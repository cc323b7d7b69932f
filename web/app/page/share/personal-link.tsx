import { type ReactNode, useState } from 'preact/compat'
import { useBoot } from '../../account.ts'
import { api, type Input } from '../../api.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { Note, TextArea } from '../../ui/field.tsx'

/** Makes a link for one person, and copies it. A new one ends the one before. */
export function CopyPersonalLink(link: Input<'makePersonalLink'>) {
  const make = async () => (await api.makePersonalLink(link)).data.url
  return <CopyButton look="quiet" isIcon text={make} label={`Copy link for ${link.email}`} />
}

/** A message as it is typed for mails: null where there is none. */
export function useMessage(label = 'Message') {
  const [text, setText] = useState('')
  const field = (
    <TextArea
      label={label}
      help="Optional. It stands in the mail above the link."
      rows={3}
      maxLength={2000}
      dir="auto"
      value={text}
      onText={setText}
    />
  )
  return { message: text.trim() || null, field, clear: () => setText('') }
}

/** Before anything that would be mailed, where no mail goes out. */
export function NoMailNote({ children }: { children: ReactNode }) {
  if (useBoot().sends_mails) return null
  return <Note>Mail is not set up on this server: {children}</Note>
}

/** Beside what asks for a confirmed address: who has one where no mail goes out. */
export function useConfirmedNote(): string {
  if (useBoot().sends_mails) return ''
  return ' Mail is not set up on this server: only who opened a link that you copied has one.'
}
