import { describe } from 'vitest';
import { startRealApiServer } from '../support/real-api-server.js';
import { tellWatchStories } from '../support/watch-stories.js';
import { programsOfEnvironment } from './programs.js';

describe('watching a real kube-apiserver', () => {
  tellWatchStories(() => startRealApiServer(programsOfEnvironment()));
});
