import { Screen } from '../frame/screen.tsx'

export default function DeveloperScreen() {
  return <Screen title="Developer">{null}</Screen>
}
