# A chip of one's own for the CPU backend: WARPPORT_PROFILE=./lavapipe8.profile, or warpport-check --profiles=./lavapipe8.profile.
# A line each: key = value; what is left out stays as with cuda70.

name = lavapipe8                    # as reports call it; default: the file's name
about = Mesa's CPU drivers, AVX2: sub-groups of 8

lanes = 8                           # of a warp, for programs that open "cpu": 1, 2, 4 ... 64; 0: as usual
unspecified = poison                # a source outside the mask gives: poison (no plausible value), zero, or own (the lane's value)
random = yes                        # poison differs from run to run
converged = yes                     # lanes of a collective must have come by one chain of calls
