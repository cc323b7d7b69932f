import { MAX_INVITEES } from '../../../../../src/model/page/limits.ts'
import { AddressList } from '../address-list.tsx'
import { parseDomains } from '../addresses.ts'
import { SettingSwitch } from '../setting-switch.tsx'
import { useSharing } from '../sharing.ts'

/** The fields of "Anyone who confirms an email". */
export function EmailGate() {
  const { page } = useSharing()
  return (
    <>
      <SettingSwitch
        name="business_only"
        label="Business addresses only"
        help="Refuses gmail.com and other personal mail services."
      />
      <AddressList
        name="allowed_domains"
        label="Allowed domains"
        verb="Allow"
        placeholder="example.com"
        help={page.allowed_domains.length === 0 ? 'Empty: every domain may come in.' : ''}
        parse={parseDomains}
        noun={['domain', 'domains']}
        max={MAX_INVITEES}
      />
    </>
  )
}
