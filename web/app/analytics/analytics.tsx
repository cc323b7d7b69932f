import { Screen } from '../frame/screen.tsx'

export default function AnalyticsScreen() {
  return <Screen title="Analytics">{null}</Screen>
}
