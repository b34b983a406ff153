// A target of C needs a file to compile; all there is stands in the header.
#include "MetricIntrinsics.h"
