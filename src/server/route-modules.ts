/** All rooms with routes or workers. A new one is a file in rooms/, and a line. */
import type { RouteModule } from './route-module.ts';

export const routeModules: readonly RouteModule[] = [];
