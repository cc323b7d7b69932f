import { useState } from 'react'
import { MAX_INVITEES } from '../../../../../src/model/page/limits.ts'
import { AddressList } from '../address-list.tsx'
import { parseAddresses } from '../addresses.ts'
import { SettingSwitch } from '../setting-switch.tsx'
import { Invitations } from './invitations.tsx'
import { AccessRequests } from './requests.tsx'

const SIGN_IN =
  'By a link in a mail to that address, in an account of their own. Otherwise they confirm the ' +
  'address and need no account.'

/** The fields of "Only people you invite". */
export function People() {
  const [added, setAdded] = useState<readonly string[]>([])
  return (
    <>
      <AddressList
        name="allowed_emails"
        label="Invite by email"
        verb="Invite"
        placeholder="ann@example.com, bob@example.com"
        parse={parseAddresses}
        noun={['email address', 'email addresses']}
        max={MAX_INVITEES}
        onAdded={(emails) => setAdded([...added, ...emails])}
      />
      <Invitations added={added} />
      <SettingSwitch name="require_signin" label="Ask them to sign in" help={SIGN_IN} />
      <SettingSwitch
        name="allow_access_requests"
        label="Let others ask for access"
        help="You get a mail, and decide there or here."
      />
      <AccessRequests />
    </>
  )
}
