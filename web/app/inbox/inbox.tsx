import { Screen } from '../frame/screen.tsx'

export default function InboxScreen() {
  return <Screen title="Inbox">{null}</Screen>
}
