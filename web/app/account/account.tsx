import { Screen } from '../frame/screen.tsx'

export default function AccountScreen() {
  return <Screen title="Account">{null}</Screen>
}
