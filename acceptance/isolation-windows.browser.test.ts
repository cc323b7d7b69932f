import { launchWithWindows } from './browser.ts'
import { isolationSuite, WITH_WINDOWS } from './isolation.ts'
import { launchChromium } from './isolation-visitor.ts'

isolationSuite(() => launchChromium(launchWithWindows), WITH_WINDOWS)
