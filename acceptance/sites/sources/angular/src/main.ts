import { Component, signal } from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'
import { provideRouter, RouterLink, RouterOutlet } from '@angular/router'

@Component({ template: '<h1>Ferry</h1><p>{{ said() }}</p>' })
class Home {
  said = signal(`It carries ${6 * 7} cars.`)
}

@Component({
  selector: 'app-root',
  imports: [RouterLink, RouterOutlet],
  template: `
    <nav><a routerLink="/">Home</a> <a routerLink="/times">Times</a></nav>
    <router-outlet />
  `,
})
class App {}

bootstrapApplication(App, {
  providers: [
    provideRouter([
      { path: '', component: Home },
      { path: 'times', loadComponent: () => import('./times').then(({ Times }) => Times) },
    ]),
  ],
})
