# The numbers of tests/core/model/weights_test.cpp, by R 4.2.2 without packages: Rscript weights.R
A <- c(-1,1,-1,1,0, -1,1,-1,1,0, -1,1,-1,1,0, 0)
B <- c(-1,-1,1,1,0, -1,-1,1,1,0, -1,-1,1,1,0, 1)
# tau2 by REML (meta-regression) and lm(weights=)
s <- c(0.2,0.5,1.1,0.3,0.8,0.2,0.6,1.3,0.4,0.9,0.25,0.7,1.2,0.35,1.0,0.5)
X2<-cbind(1,A,B,A*B,A^2); q<-function(lt,only=FALSE){ v<-s^2+exp(lt); W<-diag(1/v); b<-solve(t(X2)%*%W%*%X2,t(X2)%*%W%*%z); r<-z-X2%*%b
  as.numeric(sum(log(v))+determinant(t(X2)%*%W%*%X2)$modulus+t(r)%*%W%*%r)}
z <- 50+2*A-1.5*B+A*B+c(0.31,-0.9,1.4,0.7,-1.2,-0.52,0.8,1.9,-0.6,0.45,1.0,-0.2,-2.1,0.15,1.3,-0.75)
print(z,digits=12)
o<-optimize(q,c(-8,4),tol=1e-12); t2<-exp(o$minimum); cat(sprintf("tau2 %.10f  value %.6f at0 %.6f\n",t2,o$objective,q(-40)))
v<-s^2+t2; w<-exp(mean(log(v)))/v
f<-lm(z~A+B+I(A*B)+I(A^2),weights=w); print(summary(f)$coefficients,digits=12); cat(sprintf("sigma %.12f r2 %.12f adj %.12f\n",summary(f)$sigma,summary(f)$r.squared,summary(f)$adj.r.squared))
print(rstandard(f),digits=10); print(hatvalues(f),digits=10); print(cooks.distance(f),digits=10)
press<-sum((sqrt(w)*resid(f)/(1-hatvalues(f)))^2); cat(sprintf("press %.12f\n",press))
k<-length(coef(f))+1; cat(sprintf("aicc %.12f\n",-2*as.numeric(logLik(f))+2*k+2*k*(k+1)/(16-k-1)))
p<-predict(f,data.frame(A=.5,B=-.5),se.fit=TRUE,interval="confidence"); print(p$fit,digits=12); print(p$se.fit,digits=12)
print(anova(f),digits=12)
cat(sprintf("newRun %.12f within %.12f\n",mean(v)/exp(mean(log(v))),mean(s^2)))
