import { useAccount } from '../../../account.ts'
import { kindOf } from '../../words.ts'
import { Section } from '../section.tsx'
import { SettingSwitch } from '../setting-switch.tsx'
import { useSharing } from '../sharing.ts'

/** Which mails the owner gets about the page. */
export function Mails() {
  const { page } = useSharing()
  const { email } = useAccount()
  const canRespond = ['page', 'deck'].includes(kindOf(page))
  return (
    <Section title="Mails to you" note={<span dir="auto">{email}</span>}>
      <SettingSwitch name="notify_on_view" label="Email me when it is opened" />
      {canRespond && (
        <SettingSwitch name="notify_on_response" label="Email me when somebody responds" />
      )}
      {page.allow_comments && (
        <SettingSwitch name="notify_on_comment" label="Email me new comments" />
      )}
      {page.collect_approvals && (
        <SettingSwitch name="notify_on_decision" label="Email me each decision" />
      )}
    </Section>
  )
}
